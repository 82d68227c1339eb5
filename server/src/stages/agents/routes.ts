import { implement, type Implementation } from '#contracts/derive/route.ts'
import * as routes from '#contracts/routes/tasks.ts'
import type { Agents } from './service.ts'

export const taskRoutes = (agents: Agents): Implementation[] => [
  implement(routes.planTask, ({ body }) => agents.plan(body, true)),
  implement(routes.createTask, ({ body }) => agents.create(body)),
  implement(routes.listTasks, ({ query }) => agents.list(query)),
  implement(routes.getTask, ({ params }) => agents.get(params.id)),
  implement(routes.listTaskEvents, ({ params, query }) => agents.events(params.id, query)),
  implement(routes.cancelTask, ({ params }) => agents.cancel(params.id)),
  implement(routes.pauseTask, ({ params }) => agents.pause(params.id)),
  implement(routes.resumeTask, ({ params }) => agents.resume(params.id, null)),
  implement(routes.interruptTask, ({ params }) => agents.interrupt(params.id)),
  implement(routes.messageTask, ({ params, body }) => agents.message(params.id, body.text)),
  implement(routes.answerTask, ({ params, body }) => agents.answer(params.id, body)),
  implement(routes.removeTask, ({ params, query }) => agents.remove(params.id, query.force)),
]
