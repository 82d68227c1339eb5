import { pathOf } from '#contracts/derive/client.ts'
import { chatWithModel } from '#contracts/routes/models.ts'
import type { ChatRequest } from '#renderer/api/chat.ts'
import { quoted } from '../shell.ts'

/** The request as a shell command. The token is not in the command; the shell reads it from its file when the command runs. */
export function curlOf({
  origin,
  dataDir,
  serving,
  request,
}: {
  origin: string
  dataDir: string
  serving: string
  request: ChatRequest
}): string {
  return [
    'curl -N',
    `-H "Authorization: Bearer $(cat ${quoted(`${dataDir}/token`)})"`,
    "-H 'Content-Type: application/json'",
    `-d ${quoted(JSON.stringify(request))}`,
    quoted(`${origin}${pathOf(chatWithModel, { params: { serving } })}`),
  ].join(' \\\n  ')
}
