// Gets other agents than Claude Code into the cache folder, once per version.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { download, versionOf } from './binary.mjs';

const platform = `${process.platform}-${process.arch}`;

// The package that holds the program itself; the ones that people install hold a script, or fetch it by one.
const AGENTS = {
  opencode: {
    name: 'OpenCode',
    variable: 'OPENCODE_BIN',
    version: '1.18.33',
    spec: (version) => `opencode-${platform}${process.arch === 'x64' ? '-baseline' : ''}@${version}`,
    find: (modules) => fs.globSync('opencode-*/bin/opencode', { cwd: modules }),
  },
  codex: {
    name: 'Codex',
    variable: 'CODEX_BIN',
    version: '0.171.0',
    spec: (version) => `@openai/codex@${version}-${platform}`,
    find: (modules) => fs.globSync('@openai/codex/vendor/*/bin/codex', { cwd: modules }),
  },
};

export const AGENT_NAMES = Object.keys(AGENTS);

/** {bin, version}, or {skip: reason}. The agent's variable (OPENCODE_BIN, CODEX_BIN) overrides the download. */
export async function getAgent(id, { cacheDir = defaultCache() } = {}) {
  const { name, variable, version, spec, find } = AGENTS[id];
  const own = process.env[variable];
  if (own) return fs.existsSync(own) ? { bin: own, version: await versionOf(own) } : { skip: `${variable} does not exist: ${own}` };
  const dir = path.join(cacheDir, id, version);
  if (!fs.existsSync(dir)) {
    const failed = await download(spec(version), dir);
    if (failed) return { skip: `${name} ${version} could not be downloaded: ${failed}` };
  }
  const modules = path.join(dir, 'node_modules');
  const [found] = find(modules);
  return found ? { bin: path.join(modules, found), version } : { skip: `${spec(version)} holds no ${id}` };
}

const defaultCache = () => path.join(process.env.XDG_CACHE_HOME ?? path.join(os.homedir(), '.cache'), 'bashgym-e2e');
