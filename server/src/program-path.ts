import path from 'node:path'

export interface LaunchPlaces {
  /** The folder in which the server was started. */
  cwd: string
  userHome: string
  /** The folder of Bash Gym. */
  productRoot: string
  /** The virtual environment that the user activated. */
  activeEnvironment: string | undefined
}

/**
 * The folders of a PATH in which programs are searched. Without relative ones, and without those that a project added: started by `npx` or
 * `npm run` in a cloned repository, the PATH begins with its node_modules/.bin, where the repository can put a program named git.
 */
export function programPath(searched: string, { cwd, userHome, productRoot, activeEnvironment }: LaunchPlaces): string {
  const project = isIn(cwd, userHome) ? null : cwd // started in the home folder or above it, which is no project
  const isAllowed = (folder: string) => {
    if (!path.isAbsolute(folder)) return false
    if (isIn(productRoot, folder)) return true
    if (path.basename(folder) === '.bin' && path.basename(path.dirname(folder)) === 'node_modules') return false
    return project === null || !isIn(project, folder) || (activeEnvironment !== undefined && isIn(path.resolve(activeEnvironment), folder))
  }
  return searched
    .split(path.delimiter)
    .filter((folder) => folder !== '')
    .filter((folder) => isAllowed(path.normalize(folder)))
    .join(path.delimiter)
}

/** Without relative and empty folders, which stand for the folder in which a program is started. */
export const absoluteFolders = (searched: string): string => searched.split(path.delimiter).filter((folder) => path.isAbsolute(folder)).join(path.delimiter) // prettier-ignore

const isIn = (place: string, file: string): boolean => {
  const relative = path.relative(place, file)
  return relative === '' || (relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative))
}
