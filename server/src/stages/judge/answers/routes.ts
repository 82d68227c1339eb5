import { implement, type Implementation } from '#contracts/derive/route.ts'
import * as routes from '#contracts/routes/answers.ts'
import type { Core } from '#server/core.ts'
import type { Answers } from './service.ts'

export function answerRoutes({ jobs, tx }: Pick<Core, 'jobs' | 'tx'>, answers: Answers): Implementation[] {
  const { store } = answers
  return [
    implement(routes.gradeResponse, ({ body, signal }) => answers.gradeResponse(body, signal)),
    implement(routes.compareResponses, ({ body, signal }) => answers.compare(body, signal)),
    implement(routes.evaluateTrace, ({ body, signal }) => answers.evaluateTrace(body, signal)),
    implement(routes.listRubrics, () => ({ items: store.rubrics() })),
    implement(routes.saveRubric, ({ params, body }) => {
      tx(() => store.saveRubric(params.metric, body))
      return store.rubric(params.metric)
    }),
    implement(routes.listAgreement, () => ({ items: answers.agreement() })),
    implement(routes.listAnswerRuns, ({ query }) => answers.list(query)),
    implement(routes.prepareAnswerRun, ({ body }) => {
      answers.prepare.check(body)
      return jobs.start('answers', (context) => answers.prepare.make(body, context))
    }),
    implement(routes.getAnswerRun, ({ params }) => answers.get(params.id)),
    implement(routes.listAnswerItems, ({ params, query }) => answers.items(params.id, query.cursor, query.limit)),
    implement(routes.startAnswerRun, ({ params, body }) => answers.start(store.require(params.id), body.maxCostUsd)),
    implement(routes.cancelAnswerRun, ({ params }) => answers.cancel(params.id)),
    implement(routes.labelAnswer, ({ params, body }) => answers.label(params.id, params.no, params.metric, body)),
    implement(routes.listEvaluationSets, ({ query }) => store.sets(query)),
    implement(routes.makeEvaluationSet, ({ body, signal }) => answers.cases(body, signal)),
    implement(routes.getEvaluationSet, ({ params }) => store.set(params.id)),
    implement(routes.listEvaluationCases, ({ params, query }) => store.cases(params.id, query.cursor, query.limit)),
  ]
}
