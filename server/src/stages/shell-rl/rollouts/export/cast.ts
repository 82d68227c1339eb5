import { DEFAULT_SIZE } from '#server/stages/sandboxes/index.ts'
import type { ExportedEpisode } from './exported-episode.ts'

/** An episode as a recording for asciinema (asciicast version 2). A command appears when it starts, and its output when it ends. */
export function castOf({ episode, task, turns }: ExportedEpisode): string {
  const began = Date.parse(episode.startedAt)
  const { columns: width, rows: height } = DEFAULT_SIZE
  const lines: unknown[] = [{ version: 2, width, height, timestamp: Math.floor(began / 1000), title: task.task.slice(0, 200) }]
  let last = 0
  const show = (at: number, text: string) => {
    last = Math.max(last, (at - began) / 1000) // the clock may have been set back
    if (text !== '') lines.push([last, 'o', text.replaceAll(/\r?\n/g, '\r\n')])
  }
  for (const { at, commandMs, command, output } of turns) {
    const ended = Date.parse(at)
    show(ended - commandMs, `$ ${command}\n`)
    show(ended, output === '' ? '' : `${output}\n`)
  }
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('')
}
