import { implement, type Implementation } from '#contracts/derive/route.ts'
import * as routes from '#contracts/routes/thermometer.ts'
import type { createThermometer } from './service.ts'

export const thermometerRoutes = (thermometer: ReturnType<typeof createThermometer>): Implementation[] => [
  implement(routes.getThermometer, () => thermometer.get()),
  implement(routes.planThermometer, ({ body }) => thermometer.plan(body)),
  implement(routes.switchThermometerOn, ({ body }) => thermometer.on(body)),
  implement(routes.switchThermometerOff, () => thermometer.off()),
  implement(routes.readThermometer, () => thermometer.read()),
  implement(routes.listThermometerReadings, ({ query }) => thermometer.list(query.cursor, query.limit)),
]
