import { pathOf } from '#contracts/derive/client.ts'
import { chatWithModel } from '#contracts/routes/models.ts'
import type { ChatRequest } from '#renderer/api/chat.ts'
import { quoted } from '../shell.ts'

/** The same question from a shell of this machine. The token stays in its file: it is read when the line runs. */
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
