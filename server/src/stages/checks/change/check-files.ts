import path from 'node:path'

export type CheckFileKind = 'test' | 'configuration'

/** Folders with installed packages and build results; taken completely from the state before the change. */
const INSTALLED = new Set(['node_modules', '.venv', 'venv', '.tox', '.nox', 'target', '__pycache__', '.pytest_cache', '.git'])

export const isInstalled = (name: string): boolean => name.split('/').some((part) => INSTALLED.has(part)) || /\.py[co]$/.test(name)

const TEST_FOLDERS = new Set(['test', 'tests', '__tests__', '__mocks__', '__snapshots__', 'testdata', 'e2e', 'cypress'])
const TEST_NAMES = [
  /^test_[^/]*\.py$/,
  /_tests?\.py$/,
  /^tests?\.py$/,
  /\.(?:test|spec|cy)\.[cm]?[jt]sx?$/,
  /(?:^|[-_])tests?\.[cm]?[jt]sx?$/,
  /^test-[^/]*\.[cm]?[jt]sx?$/,
  /_test\.go$/,
  /\.bats$/,
  /_(?:spec|test)\.rb$/,
  /Tests?\.(?:java|kt|cs|php|swift)$/,
  /\.snap$/,
]

const CONFIGURATION_FOLDERS = [/^\.github\//, /^\.circleci\//, /(?:^|\/)\.cargo\//, /\.(?:egg|dist)-info(?:\/|$)/]
const CONFIGURATION_NAMES = [
  // Python: the runner, files it loads automatically, installed packages
  /^(?:conftest|sitecustomize|usercustomize|noxfile|setup)\.py$/,
  /^\.?pytest\.(?:ini|toml)$/,
  /^(?:tox\.ini|setup\.cfg|pyproject\.toml|\.coveragerc|Pipfile|Pipfile\.lock|poetry\.lock|uv\.lock|pdm\.lock)$/,
  /^requirements[^/]*\.txt$/,
  /^pyvenv\.cfg$/, // makes a folder a virtual environment
  /\.pth$/,
  // JavaScript
  /^(?:vite|vitest|jest|babel|playwright|cypress|ava|karma|wdio|tsup|webpack|rollup)[^/]*\.config\.[cm]?[jt]s$/,
  /^(?:vitest\.workspace\.[cm]?[jt]s|jest\.config\.json|babel\.config\.json|tsconfig[^/]*\.json)$/,
  /^\.(?:mocharc|babelrc|swcrc|nycrc|c8rc|taprc|npmrc|yarnrc|pnpmfile)[^/]*$/,
  /^(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|pnpm-workspace\.yaml|bun\.lockb?|bunfig\.toml|deno\.jsonc?|node\.config\.json)$/,
  // Go, Rust, make, CI services, scripts
  /^(?:go\.work|go\.work\.sum|Cargo\.lock|rust-toolchain(?:\.toml)?|build\.rs)$/,
  /^(?:GNUmakefile|[Mm]akefile|[Jj]ustfile|[Tt]askfile\.ya?ml|Rakefile|\.rspec)$/,
  /\.mk$/,
  /^(?:\.gitlab-ci\.yml|\.travis\.yml|azure-pipelines\.yml|Jenkinsfile|bitbucket-pipelines\.yml)$/,
  /^verify\.sh$/,
]

/** How a file is related to checks, by its path in the project; null if it belongs to the work itself. */
export function kindOf(name: string): CheckFileKind | null {
  const parts = name.split('/')
  const last = path.posix.basename(name)
  if (CONFIGURATION_NAMES.some((pattern) => pattern.test(last)) || CONFIGURATION_FOLDERS.some((pattern) => pattern.test(name)))
    return 'configuration'
  if (parts.some((part) => TEST_FOLDERS.has(part)) || TEST_NAMES.some((pattern) => pattern.test(last))) return 'test'
  return null
}

/** Files of checks that no test run should change. Data files are excluded because some tests write them, and `Cargo.lock` because Cargo does. */
export const isWatched = (name: string): boolean => {
  const kind = kindOf(name)
  return (
    (kind === 'configuration' && path.posix.basename(name) !== 'Cargo.lock') ||
    (kind === 'test' && /\.(?:py|[cm]?[jt]sx?|go|rs|bats|sh)$/.test(name))
  )
}
