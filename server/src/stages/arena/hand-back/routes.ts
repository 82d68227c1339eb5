import { implement, type Implementation } from '#contracts/derive/route.ts'
import * as routes from '#contracts/routes/tasks.ts'
import type { HandBackService } from './service.ts'

export const handBackRoutes = (service: HandBackService): Implementation[] => [
  implement(routes.getTaskChange, ({ params, signal }) => service.change(params.id, signal)),
  implement(routes.readTaskPatch, ({ params, signal }) => ({
    stream: service.patch(params.id, signal),
    fileName: `${params.id}.patch`,
    contentType: 'text/x-diff',
  })),
  implement(routes.reviewTask, ({ params, body, signal }) => service.review(params.id, body, signal)),
  implement(routes.sendReview, ({ params }) => service.sendReview(params.id)),
  implement(routes.handBackTask, ({ params, body, signal }) => service.handBack(params.id, body, signal)),
  implement(routes.undoHandBack, ({ params, signal }) => service.undo(params.id, signal)),
]
