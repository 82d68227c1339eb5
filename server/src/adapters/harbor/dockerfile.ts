import { lookup } from '#contracts/lookup.ts'

/** What building a Dockerfile would take from elsewhere. */
export interface DockerfileSources {
  /** Images that it begins from or copies from, as they are named. */
  images: string[]
  /** Why it cannot be built without a look elsewhere, in a sentence; null: it can. */
  problem: string | null
}

/** The Engine itself would download a base image that is not here, and what ADD names. */
export function sourcesOf(dockerfile: string): DockerfileSources {
  if (/^\s*#\s*escape\s*=/im.test(dockerfile)) return { images: [], problem: 'It changes its escape character, so it was not read.' }
  const args = lookup<string>({})
  const stages = new Set<string>()
  const images = new Set<string>()
  for (const line of instructionsOf(dockerfile)) {
    const [word = '', ...rest] = line.split(/\s+/)
    const values = rest.filter((one) => !one.startsWith('--'))
    switch (word.toUpperCase()) {
      case 'ARG': {
        const [name = '', value] = values.join(' ').split(/=(.*)/s)
        if (stages.size === 0 && value !== undefined) args[name] = value.replaceAll(/^["']|["']$/g, '')
        break
      }
      case 'FROM': {
        const name = filledIn(values[0] ?? '', args)
        if (name === '' || name.includes('$')) return { images: [], problem: `The image of "${line}" is not known before the build.` }
        if (name !== 'scratch' && !stages.has(name.toLowerCase())) images.add(name)
        stages.add((values[1]?.toUpperCase() === 'AS' ? (values[2] ?? '') : `stage ${stages.size}`).toLowerCase())
        break
      }
      case 'COPY': {
        const from = rest.find((one) => one.startsWith('--from='))?.slice('--from='.length)
        if (from?.includes('$')) return { images: [], problem: `The image of "${line}" is not known before the build.` }
        if (from !== undefined && !/^\d+$/.test(from) && !stages.has(from.toLowerCase())) images.add(from)
        break
      }
      case 'ADD':
        if (/:\/\/|git@|\$/.test(line)) return { images: [], problem: `"${line}" downloads, or may download, something.` }
    }
  }
  return { images: [...images], problem: null }
}

/** The name as the Engine lists it. */
export function listedName(image: string): string {
  const name = image.replace(/^(?:docker\.io|index\.docker\.io)\//, '').replace(/^library\//, '')
  return /[:@][^/]*$/.test(name) ? name : `${name}:latest`
}

const instructionsOf = (dockerfile: string): string[] =>
  dockerfile
    .split(/\r?\n/)
    .filter((line) => !/^\s*#/.test(line))
    .join('\n')
    .replaceAll(/\\[ \t]*\n/g, ' ')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

const filledIn = (text: string, args: Readonly<Record<string, string>>): string =>
  text.replaceAll(/\$(?:(\w+)|\{(\w+)(?::-([^}]*))?\})/g, (whole, plain?: string, braced?: string, otherwise?: string) => {
    return args[plain ?? braced ?? ''] ?? otherwise ?? whole
  })
