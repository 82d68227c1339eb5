import { quoted } from '#server/adapters/tools/shell-words.ts'

/** Instructions without an effect that a shell could see. */
const WITHOUT_EFFECT = new Set(['CMD', 'ENTRYPOINT', 'EXPOSE', 'LABEL', 'MAINTAINER', 'STOPSIGNAL', 'HEALTHCHECK', 'SHELL'])

/** Converts the steps of an image to set-up commands. Throws if that is not possible. */
export function dockerfileSetup(text: string): { setup: string[]; image: string | null } {
  const setup: string[] = []
  let image: string | null = null
  for (const line of text.replaceAll(/\\\r?\n/g, ' ').split(/\r?\n/)) {
    const [, word = '', rest = ''] = /^\s*([A-Za-z]+)\s+(.*)$/.exec(line) ?? []
    const name = word.toUpperCase()
    if (name === '' || WITHOUT_EFFECT.has(name)) continue
    if (name === 'FROM') image = rest.trim()
    else if (name === 'RUN') setup.push(commandOf(rest.trim()))
    else if (name === 'WORKDIR') setup.push(`mkdir -p ${quoted(rest.trim())} && cd ${quoted(rest.trim())}`)
    else throw new Error(`its image has a ${name} step, which cannot be converted to a set-up command.`)
  }
  return { setup, image }
}

/** The command of a RUN step, converted from its list form if necessary. */
function commandOf(rest: string): string {
  if (!rest.startsWith('[')) return rest
  const words = JSON.parse(rest) as unknown
  if (!Array.isArray(words) || !words.every((word) => typeof word === 'string')) throw new Error('a RUN step of its image cannot be read.')
  const [shell = '', flag, command] = words
  if (words.length === 3 && /(?:^|\/)(?:ba)?sh$/.test(shell) && flag === '-c') return command!
  return words.map(quoted).join(' ')
}
