import { lookup } from '#contracts/lookup.ts'

/** What a build of a Dockerfile would download. */
export interface DockerfileSources {
  /** Names of the images that it starts from or copies from. */
  images: string[]
  /** Why it cannot be built offline, as a sentence; null if it can. */
  problem: string | null
}

/** Reads a Dockerfile before the build, because the Engine would download missing base images and files of ADD. */
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
        const name = withArguments(values[0] ?? '', args)
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

/** The name under which the Engine lists an image. */
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

const withArguments = (text: string, args: Readonly<Record<string, string>>): string =>
  text.replaceAll(/\$(?:(\w+)|\{(\w+)(?::-([^}]*))?\})/g, (whole, plain?: string, braced?: string, fallback?: string) => {
    return args[plain ?? braced ?? ''] ?? fallback ?? whole
  })
