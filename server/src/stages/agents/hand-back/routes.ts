import { implement, type Implementation } from '#contracts/derive/route.ts'
import * as routes from '#contracts/routes/tasks.ts'
import type { HandBackService } from './service.ts'

export const handBackRoutes = (service: HandBackService): Implementation[] => [
  implement(routes.getTaskChange, ({ params, signal }) => service.change(params.id, signal)),
  implement(routes.readTaskPatch, ({ params, signal }) => patchFile(params.id, service.patch(params.id, signal))),
  implement(routes.selectTaskPatch, async ({ params, body, signal }) =>
    patchFile(params.id, await service.selectedPatch(params.id, body.selection, signal)),
  ),
  implement(routes.reviewTask, ({ params, body, signal }) => service.review(params.id, body, signal)),
  implement(routes.sendReview, ({ params }) => service.sendReview(params.id)),
  implement(routes.handBackTask, ({ params, body, signal }) => service.handBack(params.id, body, signal)),
  implement(routes.undoHandBack, ({ params, signal }) => service.undo(params.id, signal)),
]

const patchFile = (id: string, stream: AsyncIterable<Uint8Array>) => ({ stream, fileName: `${id}.patch`, contentType: 'text/x-diff' })
