import type { ErrorTable } from './table.ts'

export const providerErrors = {
  provider_unavailable: { status: 409, message: 'The provider is not set up, so no request can be sent.' },
} as const satisfies ErrorTable
