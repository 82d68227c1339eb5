/** Errors by code: HTTP status, message, and a hint (what to do). */
export type ErrorTable = Readonly<Record<string, { status: number; message: string; hint?: string }>>
