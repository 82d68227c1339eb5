/**
 * Every module through which session content leaves the trace store: exported files and requests. Each accepts
 * `Cleared<…>` values only. A test reads the sources: a module of a later stage or of an adapter that writes files or
 * uses the network is listed here, or in `STAYS_INSIDE` with the reason. `heldBy`: the module that
 * checks what may be sent, by its types and at run time.
 */
export const WAYS_OUT: readonly { module: string; what: string; enforcedBy?: string }[] = [
  { module: 'server/src/stages/factory/build/assemble.job.ts', what: 'Data set versions' },
  { module: 'server/src/stages/factory/export/export.job.ts', what: 'Exports as JSON Lines, and data set cards' },
  { module: 'server/src/stages/factory/export/parquet.ts', what: 'Exports as Parquet' },
  {
    module: 'server/src/adapters/llm/http.ts',
    what: 'Requests to model providers',
    enforcedBy: 'server/src/adapters/llm/client.ts',
  },
]

export const STAYS_INSIDE: readonly { module: string; why: string }[] = [
  {
    module: 'server/src/adapters/git/changes.ts',
    why: 'what a run of an agent changed, into the data directory until it is shown or handed back',
  },
  {
    module: 'server/src/stages/arena/hand-back/commit.ts',
    why: 'files that its user hands back, into the data directory on their way to a commit',
  },
  { module: 'server/src/stages/arena/hand-back/contents.ts', why: 'the same, on their way to a folder of the user' },
  { module: 'server/src/stages/arena/hand-back/settle.ts', why: 'files that are merged, into the data directory' },
  { module: 'server/src/stages/arena/hand-back/tree/carry-out.ts', why: 'files that its user hands back, into a folder of that user' },
  { module: 'server/src/stages/arena/hand-back/tree/journal.ts', why: 'what was there before, into the data directory' },
  { module: 'server/src/stages/arena/hand-back/tree/put.ts', why: 'the same as carry-out.ts' },
  { module: 'server/src/stages/factory/build/lines.ts', why: 'writes lines for the modules above' },
  { module: 'server/src/stages/factory/build/folder.ts', why: 'names folders, and writes what build.ts hands it' },
  { module: 'server/src/stages/factory/build/build.ts', why: 'the manifest (counts, hashes, settings) and the key of the data sets' },
  {
    module: 'server/src/stages/factory/build/collect.job.ts',
    why: 'candidates on their way to assemble.job.ts, in the building folder, removed by it',
  },
  { module: 'server/src/stages/factory/import/import.job.ts', why: 'rows that came from outside, into the data directory' },
  {
    module: 'server/src/adapters/output-files/index.ts',
    why: 'what a command of its user was answered (a session that the gate passed, results of runs), into the file that is named',
  },
  { module: 'server/src/adapters/harbor/write.ts', why: 'tasks that its user wrote, into the folder that is named' },
  {
    module: 'server/src/stages/arena/shell-tasks/import/import-tasks.job.ts',
    why: 'tasks that came from outside, into the data directory',
  },
  { module: 'server/src/stages/arena/shell-tasks/service.ts', why: 'the same, before they are read' },
  { module: 'server/src/adapters/llm/keys.ts', why: 'keys of providers, into the data directory' },
  { module: 'server/src/stages/gym/index.ts', why: 'the address and token of the environment of a run, into its folder' },
  { module: 'server/src/stages/gym/task-rows.ts', why: 'shell tasks of the store, which hold no session, into the folder of models' },
  { module: 'server/src/stages/gym/folder.ts', why: 'settings and paths of a run, into its folder' },
  {
    module: 'server/src/stages/models/export/compare.ts',
    why: 'held-out rows of a version, which the gate passed, into the data directory',
  },
  { module: 'server/src/stages/models/export/run.ts', why: 'Modelfile and card, into the folder of the model' },
  { module: 'server/src/stages/models/serving/servings.ts', why: 'a key of this machine, into the data directory' },
  { module: 'server/src/adapters/trainer-tools/index.ts', why: 'settings and paths, for a process of this machine' },
  { module: 'server/src/adapters/python/install.ts', why: 'the names of packages, to the index of pip' },
  { module: 'server/src/adapters/python/own.ts', why: 'what is installed, into the data directory' },
  { module: 'server/src/adapters/bubblewrap/groups.ts', why: 'limits, to the kernel' },
  { module: 'server/src/adapters/bubblewrap/launch.ts', why: 'files of a program, into a folder that ends with it' },
  { module: 'server/src/adapters/bubblewrap/boxes.ts', why: 'what is known of a machine, into the data directory' },
  { module: 'server/src/adapters/bubblewrap/inside.ts', why: 'files that its user gives, into a machine' },
  { module: 'server/src/adapters/bubblewrap/machine-root.ts', why: 'the files of a fresh system, into a machine' },
  { module: 'server/src/adapters/bubblewrap/snapshots.ts', why: 'files of a machine, into the data directory' },
  { module: 'server/src/adapters/bubblewrap/gateway.ts', why: 'bytes of a program in a machine, to the proxy for its list of addresses' },
  { module: 'server/src/adapters/bubblewrap/gateway-program.ts', why: 'bytes of a program in a machine, to the gateway' },
  { module: 'server/src/adapters/allow-list/addresses.ts', why: 'nothing: it reads addresses' },
  { module: 'server/src/adapters/allow-list/proxy.ts', why: 'bytes of a program in a machine, to addresses that its user listed' },
  {
    module: 'server/src/adapters/llm-proxy/forward.ts',
    why: 'what an agent of a run asks of the endpoint that its user chose, as it would by itself; nothing of the archive',
  },
  {
    module: 'server/src/stages/arena/agents/exchange-record.ts',
    why: 'what a run asked its model, and the answers, into the data directory',
  },
  {
    module: 'server/src/stages/arena/rollouts/turn-files.ts',
    why: 'what a model did in a sandbox of a set of rollouts, into the data directory',
  },
  { module: 'server/src/adapters/llm-proxy/index.ts', why: 'nothing: it listens on this machine' },
  { module: 'server/src/adapters/llm-proxy/headers.ts', why: 'nothing: it chooses headers' },
  { module: 'server/src/adapters/llm-proxy/refusal.ts', why: 'refusals, to the agent of a run' },
  { module: 'server/src/adapters/hub/request.ts', why: 'the name of a model that its user asked for, to the hub' },
  { module: 'server/src/adapters/hub/cache.ts', why: 'files of a model, into the cache of models' },
  { module: 'server/src/stages/gym/base-models/pending.ts', why: 'names of files of a model, into the cache of models' },
  { module: 'server/src/stages/arena/sandboxes/recording.ts', why: 'what a session of a sandbox showed, into the data directory' },
  { module: 'server/src/stages/arena/sandboxes/files.ts', why: 'files that its user gives, into a sandbox' },
  { module: 'server/src/stages/arena/sandboxes/start.ts', why: 'files that its user gives, into a sandbox' },
  { module: 'server/src/adapters/git/working-tree.ts', why: 'the name of no branch, into an empty repository that is removed at once' },
  { module: 'server/src/adapters/agent-cli/readable-copy.ts', why: 'the program of an agent, where a sandbox may read it' },
  { module: 'server/src/adapters/git/stored-files.ts', why: 'files of a run of an agent, into a repository of the data directory' },
  { module: 'server/src/stages/arena/agents/working-copy.ts', why: 'files that the user names, into the data directory and a sandbox' },
  { module: 'server/src/stages/arena/agents/drive.ts', why: 'transcripts of an agent, into the data directory' },
  { module: 'server/src/stages/arena/checks/restore/extract.ts', why: 'files of a commit, into the data directory until they are checked' },
  { module: 'server/src/stages/arena/checks/restore/restore.ts', why: 'edits of a session, into that copy' },
  { module: 'server/src/stages/gym/rows-written.job.ts', why: 'rows that a run names, into its folder' },
  { module: 'server/src/stages/models/serving/read-answer.ts', why: 'an answer of a model of this machine, for a process that reads it' },
  { module: 'server/src/stages/arena/shell/kept-output.ts', why: 'output of a command in a sandbox, into the data directory' },
  { module: 'server/src/adapters/engine/local.ts', why: 'pause or stop, into the folder of a run' },
  { module: 'server/src/adapters/engine/ray.ts', why: 'paths and arguments, into the folder of a run' },
  { module: 'server/src/adapters/engine/ray-api.ts', why: 'paths and states, to a cluster that shares the data directory (decision 0025)' },
]

/** Modules that assert that a value is cleared although the type was lost, each with the reason. */
export const VOUCHED: readonly { module: string; why: string }[] = [
  { module: 'server/src/stages/factory/export/export.job.ts', why: 'rows of a version: the gate passed them when it was built' },
]
