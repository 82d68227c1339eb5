import { AppError } from '#contracts/errors.ts'
import { httpRequest, type HttpRequest } from '#server/adapters/tools/http-request.ts'

/** A call of the command line, on a connection of its own. Rejects with the reason of `signal`, or `server_unreachable`. */
export async function httpCall(url: string, request: Omit<HttpRequest, 'keepAlive'>): Promise<Response> {
  try {
    return await httpRequest(url, request)
  } catch (error) {
    if (request.signal?.aborted) throw request.signal.reason
    const { code, message } = error as NodeJS.ErrnoException
    throw new AppError('server_unreachable', { message: `${new URL(url).origin} did not answer: ${code ?? message}.`, cause: error })
  }
}
