import { DownloadedModel, HubId, HubRef, type HubModel } from '#contracts/entities/base-model.ts'
import { AppError } from '#contracts/errors.ts'
import { plural } from '#contracts/plural.ts'
import { type Context, oneArgument, textOf, UsageError } from '../command.ts'
import { formatBytes, formatNumber } from '../format.ts'
import { waitFor } from '../wait.ts'

/** Describes a base model, then downloads it or resumes a paused download. With `--dry-run` it only describes it. */
export async function pull(context: Context): Promise<number> {
  const id = parseArgument(HubId, oneArgument(context, 'The id of the model'), 'The id of the model')
  const ref = parseArgument(HubRef, textOf(context.values, 'revision') ?? 'main', '--revision')
  const connection = await context.connect()
  const model = await connection.client.lookUpBaseModel({ body: { id, ref } })
  if (context.values['dry-run'] === true) {
    context.out(model, () => describe(model))
    return model.problem === null ? 0 : 1
  }
  context.note(describe(model))
  if (model.problem !== null) throw new AppError('invalid_request', { message: `${id} was not downloaded. ${model.problem}`, ...(model.hint !== null && { hint: model.hint }) }) // prettier-ignore
  const started = await connection.client.downloadBaseModel({ body: { id, ref, revision: model.revision } })
  const { result } = await waitFor(context, connection, started)
  const downloaded = DownloadedModel.parse(result)
  context.out(
    downloaded,
    () => `Downloaded ${downloaded.id}: ${plural(downloaded.files, 'file')}, ${formatBytes(downloaded.bytes)}\n${downloaded.path}`,
  )
  return 0
}

function describe(model: HubModel): string {
  const { folder, freeBytes, parameters, fit, problem } = model
  return [
    ...hubLines(model),
    `  model     ${parameters === null ? 'parameters unknown' : `${formatNumber(parameters)} parameters`}, ${FIT_TEXTS[fit]}`,
    `  folder    ${folder}, ${freeBytes === null ? 'free space unknown' : `${formatBytes(freeBytes)} free`}`,
    ...(problem === null ? [] : [`  problem   ${problem}`]),
  ].join('\n')
}

type OnHub = Pick<HubModel, 'id' | 'revision' | 'license' | 'gated' | 'private' | 'page' | 'files' | 'bytes' | 'bytesHere'>

/** What is said of a model or data set on the hub before it is fetched. */
export const hubLines = ({ id, revision, license, gated, private: isPrivate, page, files, bytes, bytesHere }: OnHub): string[] => [
  `${id}, revision ${revision.slice(0, 12)}`,
  `  size      ${formatBytes(bytes)} in ${files.length} ${files.length === 1 ? 'file' : 'files'}${bytesHere > 0 ? `, ${formatBytes(bytesHere)} of it already here` : ''}`,
  `  licence   ${license ?? 'not stated'}`,
  `  access    ${gated ? `gated: its terms must be accepted on ${page}` : isPrivate ? 'private' : 'open'}`,
]

const FIT_TEXTS: Record<HubModel['fit'], string> = {
  yes: 'training fits the free memory',
  tight: 'training fits the free memory with smaller batches or shorter rows',
  no: 'too large to train in the free memory',
  unknown: 'unknown whether training fits the free memory',
}

function parseArgument(shape: typeof HubId, text: string, what: string): string {
  const parsed = shape.safeParse(text)
  if (!parsed.success) throw new UsageError(`${what} cannot be "${text}": ${parsed.error.issues[0]!.message}.`)
  return parsed.data
}
