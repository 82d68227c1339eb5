/** Errors of a stage or noun by their code: HTTP status, sentence, and what to do. */
export type ErrorTable = Readonly<Record<string, { status: number; message: string; hint?: string }>>
