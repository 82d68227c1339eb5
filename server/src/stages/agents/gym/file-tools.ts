import { readText } from '#server/stages/sandboxes/index.ts'
import { type Input, Refused, type ToolPlace, type ToolResult } from './inputs.ts'
import { callsIn, type GymRecord, resultsIn } from './record.ts'

const [FILE_BYTES, LINES, LINE_CHARS] = [2_000_000, 2000, 2000]
const CURRENT = '(file state is current in your context — no need to Read it back)'
/** After these calls the model knows the file. */
const SEEING: ReadonlySet<string> = new Set(['Read', 'Edit', 'Write'])

export function createFileTools({ sandboxes, sandboxId, workdir, placeOf }: ToolPlace) {
  /** Null: there is no such file. */
  const textOf = async (file: string): Promise<string | null> => {
    const text = await readText(sandboxes, sandboxId, file, { mostBytes: FILE_BYTES, ifLarger: undefined })
    if (text === undefined) throw new Refused(`File content exceeds ${FILE_BYTES} bytes. Use offset and limit with a command instead.`)
    return text
  }
  const requireText = async (file: string): Promise<string> => {
    const text = await textOf(file)
    if (text === null) throw new Refused(`File does not exist. Note: your current working directory is ${workdir}.`)
    return text
  }
  const write = (file: string, content: string) => sandboxes.write(sandboxId, { path: file, content, encoding: 'utf8', mode: 0o644 })

  const read = async ({ file_path: name, offset = 1, limit = LINES }: Input<'Read'>): Promise<ToolResult> => {
    const lines = (await requireText(placeOf(name))).split('\n')
    const first = Math.max(offset, 1)
    const shown = lines.slice(first - 1, first - 1 + limit)
    if (shown.length === 0) throw new Refused(`The file has only ${lines.length} lines.`)
    return { text: shown.map((line, at) => `${first + at}\t${line.slice(0, LINE_CHARS)}`).join('\n'), isError: false }
  }

  const writeWhole = async ({ file_path: name, content }: Input<'Write'>, record: GymRecord): Promise<ToolResult> => {
    if (content.length > FILE_BYTES) throw new Refused(`The file would exceed ${FILE_BYTES} bytes.`)
    const isThere = (await textOf(placeOf(name))) !== null
    if (isThere) requireSeen(record, placeOf(name))
    await write(placeOf(name), content)
    const text = isThere ? `The file ${name} has been updated successfully.` : `File created successfully at: ${name}`
    return { text: `${text} ${CURRENT}`, isError: false }
  }

  const edit = async (input: Input<'Edit'>, record: GymRecord): Promise<ToolResult> => {
    const { file_path: name, old_string: before, new_string: after, replace_all: isAll } = input
    if (before === after) throw new Refused('No changes to make: old_string and new_string are exactly the same.')
    const file = placeOf(name)
    if (before === '' && (await textOf(file)) === null) return writeWhole({ file_path: name, content: after }, record)
    const text = await requireText(file)
    requireSeen(record, file)
    const places = before === '' ? 0 : text.split(before).length - 1
    if (places === 0) throw new Refused(`String to replace not found in file.\nString: ${before}`)
    if (places > 1 && !isAll)
      throw new Refused(
        `Found ${places} matches of the string to replace, but replace_all is false. To replace all occurrences, set replace_all to true. ` +
          `To replace only one occurrence, please provide more context to uniquely identify the instance.\nString: ${before}`,
      )
    if (text.length + places * (after.length - before.length) > FILE_BYTES) throw new Refused(`The file would exceed ${FILE_BYTES} bytes.`)
    await write(file, isAll ? text.replaceAll(before, () => after) : text.replace(before, () => after))
    return { text: `The file ${name} has been updated successfully. ${CURRENT}`, isError: false }
  }

  const requireSeen = (record: GymRecord, file: string): void => {
    const worked = new Set(resultsIn(record).flatMap(({ tool_use_id: id, is_error: isError }) => (isError ? [] : id)))
    const isSeen = callsIn(record).some(
      ({ id, name, input }) => SEEING.has(name) && worked.has(id) && placeOf(String(input['file_path'])) === file,
    )
    if (!isSeen) throw new Refused('File has not been read yet. Read it first before writing to it.')
  }

  return { read, writeWhole, edit }
}
