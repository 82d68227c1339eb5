import { implement, type Implementation } from '#contracts/derive/route.ts'
import * as routes from '#contracts/routes/shell-generations.ts'
import type { Generation } from './service.ts'

export const generationRoutes = (generation: Generation): Implementation[] => [
  implement(routes.planShellGeneration, ({ body }) => generation.plan(body)),
  implement(routes.generateShellTasks, ({ body }) => generation.start(body)),
  implement(routes.listShellGenerations, () => generation.list()),
  implement(routes.getShellGeneration, ({ params }) => generation.get(params.id)),
  implement(routes.resumeShellGeneration, ({ params }) => generation.resume(params.id)),
  implement(routes.getShellDiversity, ({ query }) => generation.diversity(query)),
]
