import { implement, type Implementation } from '#contracts/derive/route.ts'
import * as routes from '#contracts/routes/shell-tasks.ts'
import { exportTasks } from './export/export.ts'
import type { ShellTasks } from './service.ts'

export const shellTaskRoutes = (tasks: ShellTasks): Implementation[] => [
  implement(routes.listShellTasks, ({ query: { cursor, limit, ...filter } }) => tasks.list(filter, cursor, limit)),
  implement(routes.importShellTasks, ({ body }) => tasks.importTasks(body)),
  implement(routes.exportShellTasks, ({ query: { format, ...filter } }) => exportTasks(tasks.exported(filter), format)),
  implement(routes.getShellTask, ({ params }) => tasks.get(params.id)),
]
