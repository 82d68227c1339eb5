import { z } from 'zod'
import { routesOf } from '../derive/route.ts'
import { Cursor, Limit, page } from '../entities/common.ts'
import { Thermometer, ThermometerPlan, ThermometerReading, ThermometerRequest } from '../entities/thermometer.ts'

const route = routesOf('thermometer')

export const getThermometer = route.get('getThermometer', '/api/thermometer', {
  summary: 'Whether an exam is run on a schedule, and when next',
  response: Thermometer,
})
export const planThermometer = route.post('planThermometer', '/api/thermometer/plan', {
  summary: 'What one reading would cost, who gets what, and how often; nothing is sent',
  body: ThermometerRequest,
  response: ThermometerPlan,
  onlyLooks: true,
  errors: ['exam_not_found', 'model_not_found', 'confirmation_required'],
})
export const switchThermometerOn = route.put('switchThermometerOn', '/api/thermometer', {
  summary: 'Switch the thermometer on: a first reading now, then on the schedule',
  body: ThermometerRequest,
  response: Thermometer,
  errors: ['exam_not_found', 'model_not_found', 'exam_run_refused', 'confirmation_required'],
})
export const switchThermometerOff = route.delete('switchThermometerOff', '/api/thermometer', {
  summary: 'Switch the thermometer off. Its readings are kept; one that is running goes on',
  response: Thermometer,
  stored: { none: 'it only stops' },
})
export const readThermometer = route.post('readThermometer', '/api/thermometer/readings', {
  summary: 'Take a reading now',
  status: 202,
  response: ThermometerReading,
  errors: ['thermometer_off', 'exam_not_found', 'model_not_found', 'exam_run_refused', 'exam_run_active', 'confirmation_required'],
  stored: 'thermometer',
})
export const listThermometerReadings = route.get('listThermometerReadings', '/api/thermometer/readings', {
  summary: 'Readings, newest first, each compared with the one before',
  query: z.object({ cursor: Cursor, limit: Limit }),
  response: page(ThermometerReading),
})
