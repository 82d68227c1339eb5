import { implement, type Implementation } from '#contracts/derive/route.ts'
import { AppError } from '#contracts/errors.ts'
import * as routes from '#contracts/routes/exams.ts'
import type { Core } from '#server/core.ts'
import { taskView } from '../solved/view.ts'
import type { Exams } from './service.ts'

export function examRoutes({ jobs }: Pick<Core, 'jobs'>, exams: Exams): Implementation[] {
  const { store, maker, tasks, runs, view } = exams
  return [
    implement(routes.listExams, ({ query }) => exams.list(query.cursor, query.limit)),
    implement(routes.planExam, ({ body }) => (body.kind === 'solved_tasks' ? tasks.plan(body) : maker.plan(body))),
    implement(routes.makeExam, async ({ body }) => {
      if (body.kind === 'solved_tasks') return tasks.make(body)
      const { sessions } = await maker.plan(body)
      if (sessions === 0)
        throw new AppError('exam_empty', { hint: 'Rate sessions as good first, choose a larger share, or name sessions by a filter.' })
      return jobs.start('exam', (context) => maker.make(body, context), { single: true })
    }),
    implement(routes.getExam, ({ params }) => view(store.require(params.id))),
    implement(routes.resumeExam, ({ params }) => tasks.resume(store.require(params.id))),
    implement(routes.listExamCandidates, ({ params, query }) => exams.candidates(store.require(params.id), query)),
    implement(routes.listExamTasks, ({ params, query }) => exams.listTasks(store.require(params.id), query.cursor, query.limit)),
    implement(routes.removeExamTask, ({ params }) => {
      tasks.removeTask(store.require(params.id), params.task)
      return view(store.require(params.id))
    }),
    implement(routes.editExamTask, async ({ params, body }) =>
      taskView(await tasks.editTask(store.require(params.id), params.task, body.prompt), tasks.folderOf(params.id)),
    ),
    implement(routes.getExamItem, ({ params }) => {
      const found = store.contextById(store.require(params.id).no, params.item)
      if (!found) throw new AppError('not_found', { message: 'This exam has no such item.' })
      return { id: params.item, ...found }
    }),
    implement(routes.listExamRuns, ({ params, query }) => {
      const { items, ...page } = store.runs(store.require(params.id).no, query)
      return { items: items.map(runs.view), ...page }
    }),
    implement(routes.planExamRun, ({ params, body }) => runs.plan(params.id, body)),
    implement(routes.startExamRun, ({ params, body }) => runs.start(params.id, body)),
    implement(routes.getExamRun, ({ params }) => {
      const run = store.runOf(params.id, params.run)
      return { ...runs.view(run), result: runs.result(run) }
    }),
    implement(routes.getExamPictures, ({ params }) => runs.pictures(store.runOf(params.id, params.run))),
    implement(routes.listExamItems, ({ params, query }) => runs.items(store.runOf(params.id, params.run), query)),
    implement(routes.cancelExamRun, ({ params }) => runs.cancel(store.runOf(params.id, params.run))),
    implement(routes.resumeExamRun, ({ params, body }) => runs.resume(store.runOf(params.id, params.run), body.maxCostUsd)),
    implement(routes.repeatOwedExamItems, ({ params }) => runs.repeatOwed(store.runOf(params.id, params.run))),
    implement(routes.decideExamRun, ({ params }) => runs.decide(store.runOf(params.id, params.run))),
    implement(routes.getExamCertificate, ({ params }) => runs.certificate(store.runOf(params.id, params.run))),
  ]
}
