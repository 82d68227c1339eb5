import type { ErrorTable } from './table.ts'

export const modelErrors = {
  model_not_found: { status: 404, message: 'There is no model with this id.' },
  model_in_use: { status: 409, message: 'Something else depends on this model.' },
  export_unavailable: { status: 409, message: 'This export cannot be created here.' },
  too_many_servings: { status: 409, message: 'Two models are loaded already. Stop one of them first.' },
} as const satisfies ErrorTable
