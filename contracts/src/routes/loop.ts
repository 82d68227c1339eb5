import { routesOf } from '../derive/route.ts'
import { Loop } from '../entities/loop.ts'

const route = routesOf('loop')

export const getLoop = route.get('getLoop', '/api/loop', {
  summary: 'How far the sessions got on their way to a model in use, and the one next step',
  response: Loop,
})
