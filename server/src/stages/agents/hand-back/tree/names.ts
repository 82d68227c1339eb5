/** Code points that macOS file systems ignore in names. */
const IGNORED_IN_NAMES = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g

/** Why a path must not be written to the user's folder, or null. Paths come from an agent, so they are not trusted. */
export function whyNotName(file: string): string | null {
  const names = file.split('/')
  if (file === '' || file.includes('\0') || names.some((name) => name === '' || name === '.' || name === '..'))
    return 'it is not a valid file name'
  if (file.includes('\ufffd')) return 'its name is not UTF-8'
  return names.some(isGitName) ? 'git stores its own files under this name' : null
}

/** Whether git or a file system could take a name for ".git". */
export const isGitName = (name: string): boolean =>
  /^(?:\.git|git~1)$/.test(
    name
      .replace(IGNORED_IN_NAMES, '')
      .toLowerCase()
      .replace(/[. ]+$/, ''),
  )
