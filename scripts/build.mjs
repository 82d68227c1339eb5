// Builds dist/: renderer (Vite), server (one entry per process or worker job), the mod of Claude Code, electron (CommonJS).
import fs from 'node:fs'
import path from 'node:path'
import { build } from 'vite'
import { root, sourceHash } from './lib/setup.mjs'

const quiet = process.argv.includes('--quiet')
const logLevel = quiet ? 'warn' : 'info'
const dist = path.join(root, 'dist')
const only = process.argv.find((argument) => argument.startsWith('--only='))?.slice('--only='.length)
const wanted = (part) => only === undefined || only.split(',').includes(part)

/** These packages consist of many small modules; bundling them cuts their load time to a fifth. Other packages stay external. */
const TAKEN_IN = new Set(['diff', 'libphonenumber-js', 'unbash', 'zod'])
const { dependencies } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8'))

/** `new URL('…/x.ts', import.meta.url)` names a module that is loaded by URL (a worker job). Each such module becomes an entry. */
const BY_ADDRESS = /new URL\(\s*'([./\w-]+\/)?([\w.-]+)\.ts',\s*import\.meta\.url/g

function sources(dir) {
  return fs
    .readdirSync(dir, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && !entry.name.endsWith('.test.ts'))
    .map((entry) => path.join(entry.parentPath, entry.name))
}

function serverEntries() {
  const src = path.join(root, 'server', 'src')
  const entries = { main: path.join(src, 'main.ts'), bashgym: path.join(src, 'cli', 'main.ts') }
  for (const file of sources(src)) {
    for (const [, dir = './', name] of fs.readFileSync(file, 'utf8').matchAll(BY_ADDRESS)) {
      const target = path.resolve(path.dirname(file), dir, `${name}.ts`)
      if (entries[name] && entries[name] !== target)
        throw new Error(`Two modules loaded by address are named ${name}: ${entries[name]} and ${target}`)
      entries[name] = target
    }
  }
  return Object.fromEntries(Object.entries(entries).filter(([, file]) => fs.existsSync(file)))
}

/** Text files that a module reads from its own folder; they are copied next to the chunks. */
const TEXT = /new URL\('\.\/([\w-]+\.txt)', import\.meta\.url\)/g

const byAddress = {
  name: 'modules-by-address',
  enforce: 'pre',
  transform(code, id) {
    if (!id.includes(`${path.sep}server${path.sep}src`)) return null
    for (const [, fileName] of code.matchAll(TEXT))
      this.emitFile({ type: 'asset', fileName, source: fs.readFileSync(path.join(path.dirname(id), fileName)) })
    return { code: code.replaceAll(BY_ADDRESS, (_, _dir, name) => `new URL('./${name}.js', import.meta.url`), map: null }
  },
}

async function buildServer() {
  fs.rmSync(path.join(root, '.cache', 'code'), { recursive: true, force: true }) // the compile cache of the previous build
  await build({
    configFile: false,
    root,
    logLevel,
    plugins: [byAddress],
    ssr: { noExternal: true, external: Object.keys(dependencies).filter((name) => !TAKEN_IN.has(name)) },
    build: {
      ssr: true,
      ssrEmitAssets: true,
      target: 'node24',
      outDir: path.join(dist, 'server'),
      emptyOutDir: true,
      minify: false,
      rollupOptions: {
        input: serverEntries(),
        output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: 'chunk-[name]-[hash].js' },
      },
    },
  })
  fs.chmodSync(path.join(dist, 'server', 'bashgym.js'), 0o755)
}

/** The mod of Claude Code is one file without imports, as the client wants it. */
async function buildMod() {
  await build({
    configFile: false,
    root,
    logLevel,
    build: {
      ssr: true,
      target: 'es2023',
      outDir: path.join(dist, 'server', 'mod'),
      minify: false,
      rollupOptions: {
        input: { register: path.join(root, 'hooks', 'mod', 'register.ts') },
        output: { format: 'es', entryFileNames: '[name].js' },
      },
    },
    ssr: { noExternal: true },
  })
}

/** What the mod runs: one CommonJS file, which Node starts sooner than modules. */
async function buildModProgram() {
  await build({
    configFile: false,
    root,
    logLevel,
    build: {
      ssr: true,
      target: 'node24',
      outDir: path.join(dist, 'server', 'mod'),
      emptyOutDir: false,
      minify: false,
      rollupOptions: {
        input: { program: path.join(root, 'server', 'src', 'cli', 'mod-program.ts') },
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
    ssr: { noExternal: true },
  })
}

async function buildElectron() {
  const input = { main: path.join(root, 'electron', 'src', 'main.ts'), preload: path.join(root, 'electron', 'src', 'preload.ts') }
  if (!fs.existsSync(input.main)) return
  for (const [name, file] of Object.entries(input)) {
    await build({
      configFile: false,
      root,
      logLevel,
      build: {
        ssr: true,
        target: 'node16',
        outDir: path.join(dist, 'electron'),
        emptyOutDir: name === 'main',
        minify: false,
        rollupOptions: { input: { [name]: file }, external: ['electron'], output: { format: 'cjs', entryFileNames: '[name].cjs' } },
      },
      ssr: { noExternal: true, external: ['electron'] },
    })
  }
}

const started = Date.now()
if (wanted('server')) {
  await buildServer()
  await buildMod()
  await buildModProgram()
}
if (wanted('electron')) await buildElectron()
if (wanted('renderer'))
  await build({ configFile: path.join(root, 'renderer', 'vite.config.ts'), root: path.join(root, 'renderer'), logLevel })
if (only === undefined) fs.writeFileSync(path.join(dist, '.built-from'), sourceHash())
if (!quiet) console.log(`Built in ${((Date.now() - started) / 1000).toFixed(1)} s.`)
