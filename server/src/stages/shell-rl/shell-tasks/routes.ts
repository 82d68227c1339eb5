import { implement, type Implementation } from '#contracts/derive/route.ts'
import * as routes from '#contracts/routes/shell-tasks.ts'
import type { Sandboxes } from '#server/stages/sandboxes/index.ts'
import { checkByHand, openByHand } from './by-hand.ts'
import { exportTasks } from './export/export.ts'
import type { ShellTasks } from './service.ts'

export const shellTaskRoutes = (tasks: ShellTasks, sandboxes: Sandboxes): Implementation[] => [
  implement(routes.listShellTasks, ({ query: { cursor, limit, ...filter } }) => tasks.list(filter, cursor, limit)),
  implement(routes.lookUpShellTasks, ({ body, signal }) => tasks.lookUp(body, signal)),
  implement(routes.importShellTasks, ({ body }) => tasks.importTasks(body)),
  implement(routes.proposeShellTasks, ({ body, signal }) => tasks.propose(body.traceId, signal)),
  implement(routes.exportShellTasks, ({ query: { format, ...filter } }) => exportTasks(tasks.exported(filter), format)),
  implement(routes.createShellTask, ({ body }) => tasks.create(body)),
  implement(routes.validateShellTasks, ({ body }) => tasks.validateSeveral(body)),
  implement(routes.getShellTask, ({ params }) => tasks.get(params.id)),
  implement(routes.changeShellTask, ({ params, body }) => tasks.change(params.id, body)),
  implement(routes.removeShellTask, ({ params }) => tasks.remove(params.id)),
  implement(routes.validateShellTask, ({ params }) => tasks.validateOne(params.id)),
  implement(routes.runShellTask, ({ params, signal }) => openByHand(sandboxes, tasks.get(params.id), signal)),
  implement(routes.checkShellTask, ({ params, body, signal }) => checkByHand(sandboxes, tasks.get(params.id), body.sandboxId, signal)),
]
