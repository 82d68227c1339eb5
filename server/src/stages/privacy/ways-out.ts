/**
 * Every module through which session content leaves the trace store as files or requests. Each accepts only `Cleared<…>`
 * values. A test checks that each module of a later stage or an adapter that writes files or uses the network is listed
 * here or in `STAYS_INSIDE`. `enforcedBy` is the module that checks what may be sent, if it is another one.
 */
export const WAYS_OUT: readonly { module: string; what: string; enforcedBy?: string }[] = [
  { module: 'server/src/stages/factory/versions/assemble.job.ts', what: 'Data set versions' },
  { module: 'server/src/stages/factory/export/export.job.ts', what: 'Exports as JSON Lines, and data set cards' },
  { module: 'server/src/stages/factory/export/parquet.ts', what: 'Exports as Parquet' },
  {
    module: 'server/src/adapters/llm/http.ts',
    what: 'Requests to model providers',
    enforcedBy: 'server/src/adapters/llm/client.ts',
  },
  { module: 'server/src/adapters/otlp/send.ts', what: 'Spans, to the collectors that the user set up' },
]

export const STAYS_INSIDE: readonly { module: string; why: string }[] = [
  {
    module: 'server/src/adapters/agent-cli/canary/api.ts',
    why: 'answers the client on this machine with one fixed command; the session begins with it',
  },
  {
    module: 'server/src/adapters/agent-cli/canary/run.ts',
    why: 'settings of the client that name plugins and hooks, into the data directory, for a session without content',
  },
  { module: 'server/src/stages/guardrails/client/door.ts', why: 'answers to the hook of the client, in the data directory' },
  { module: 'server/src/stages/guardrails/client/proofs.ts', why: 'how tests of the guard went, into the data directory' },
  { module: 'server/src/stages/guardrails/client/service.ts', why: 'what switches the guard on, into the data directory' },
  {
    module: 'server/src/adapters/git/changes.ts',
    why: 'changes of an agent run, into the data directory',
  },
  { module: 'server/src/adapters/git/clone.ts', why: 'a clone for an agent run, into the data directory' },
  {
    module: 'server/src/adapters/git/user-repository.ts',
    why: 'commits of a hand-back, into the data directory and the user repository',
  },
  { module: 'server/src/adapters/git/written.ts', why: 'objects, index and refs of a hand-back, into the user repository' },
  {
    module: 'server/src/stages/agents/hand-back/commit.ts',
    why: 'files of a hand-back, into the data directory before they are committed',
  },
  {
    module: 'server/src/stages/agents/hand-back/contents.ts',
    why: 'files of a hand-back, into the data directory before they are written to the user folder',
  },
  { module: 'server/src/stages/agents/hand-back/settle.ts', why: 'merged files, into the data directory' },
  { module: 'server/src/stages/agents/hand-back/tree/carry-out.ts', why: 'files of a hand-back, into the user folder' },
  { module: 'server/src/stages/agents/hand-back/tree/journal.ts', why: 'previous content of changed files, into the data directory' },
  { module: 'server/src/stages/agents/hand-back/tree/put.ts', why: 'files of a hand-back, into the user folder' },
  { module: 'server/src/stages/factory/versions/lines.ts', why: 'writes lines for the modules above' },
  { module: 'server/src/stages/factory/versions/folder.ts', why: 'names folders, and writes the manifest that build.ts passes' },
  { module: 'server/src/stages/factory/versions/build.ts', why: 'the manifest (counts, hashes, settings) and the key of the data sets' },
  {
    module: 'server/src/stages/factory/versions/collect.job.ts',
    why: 'candidates for assemble.job.ts, into a temporary folder that it removes',
  },
  { module: 'server/src/stages/factory/import/import.job.ts', why: 'imported rows, into the data directory' },
  {
    module: 'server/src/adapters/output-files/index.ts',
    why: 'output of a CLI command (a session cleared by the gate, results of runs), into the file that the user names',
  },
  { module: 'server/src/adapters/harbor/write.ts', why: 'tasks written by the user, into the folder that the user names' },
  {
    module: 'server/src/stages/shell-rl/shell-tasks/import/import-tasks.job.ts',
    why: 'imported tasks, into the data directory',
  },
  { module: 'server/src/stages/shell-rl/shell-tasks/service.ts', why: 'imported tasks, into the data directory' },
  { module: 'server/src/adapters/llm/keys.ts', why: 'keys of providers, into the data directory' },
  { module: 'server/src/stages/gym/index.ts', why: 'the address and token of the environment of a run, into its folder' },
  { module: 'server/src/stages/gym/task-rows.ts', why: 'shell tasks, which contain no session, into the models folder' },
  { module: 'server/src/stages/gym/folder.ts', why: 'settings and paths of a run, into its folder' },
  {
    module: 'server/src/stages/models/export/compare.ts',
    why: 'held-out rows of a version, already cleared by the gate, into the data directory',
  },
  { module: 'server/src/stages/models/export/run.ts', why: 'Modelfile and card, into the folder of the model' },
  { module: 'server/src/stages/models/serving/servings.ts', why: 'a key of this machine, into the data directory' },
  { module: 'server/src/stages/models/probe/run.ts', why: 'planted phrases, into a folder that is deleted when the probe ends' },
  { module: 'server/src/stages/judge/bench/hub.ts', why: 'nothing: it names files for the hub adapter' },
  { module: 'server/src/stages/judge/bench/routes.ts', why: 'nothing: it starts a download of a public set' },
  { module: 'server/src/stages/judge/bench/service.ts', why: 'nothing: it starts a download of a public set' },
  { module: 'server/src/stages/judge/solved/task-folder.ts', why: 'tasks from sessions of the user, into the data directory' },
  { module: 'server/src/stages/router/allow-rules/service.ts', why: 'commands of a project, into its own settings of the client' },
  { module: 'server/src/stages/router/index.ts', why: 'the name of a model, into the data directory' },
  { module: 'server/src/stages/router/mod/created.ts', why: 'names of folders, into the data directory' },
  { module: 'server/src/stages/router/mod/installer.ts', why: 'files of the product, into the folder of the client' },
  { module: 'server/src/stages/router/rules/service.ts', why: 'rules of the user, into the data directory' },
  { module: 'server/src/adapters/tools/http-request.ts', why: 'calls of other modules, which are listed where they are made' },
  { module: 'server/src/stages/router/work/service.ts', why: 'the change of a run, beside the run' },
  { module: 'server/src/adapters/trainer-tools/index.ts', why: 'settings and paths, for a process on this machine' },
  { module: 'server/src/adapters/python/install.ts', why: 'package names, to the package index' },
  { module: 'server/src/adapters/python/own.ts', why: 'installed packages, into the data directory' },
  { module: 'server/src/adapters/bubblewrap/groups.ts', why: 'limits, to the kernel' },
  { module: 'server/src/adapters/bubblewrap/launch.ts', why: 'files of a program, into a folder that is deleted when the program ends' },
  { module: 'server/src/adapters/bubblewrap/boxes.ts', why: 'the state of a sandbox machine, into the data directory' },
  { module: 'server/src/adapters/bubblewrap/inside.ts', why: 'files provided by the user, into a sandbox machine' },
  { module: 'server/src/adapters/bubblewrap/machine-root.ts', why: 'system files, into a new sandbox machine' },
  { module: 'server/src/adapters/bubblewrap/shown-limits.ts', why: 'the limits of a machine, into a file that it sees' },
  { module: 'server/src/adapters/bubblewrap/snapshots.ts', why: 'files of a sandbox machine, into the data directory' },
  { module: 'server/src/adapters/bubblewrap/gateway.ts', why: 'bytes of a sandboxed program, to the proxy for its allowed addresses' },
  { module: 'server/src/adapters/bubblewrap/gateway-program.ts', why: 'bytes of a sandboxed program, to the gateway' },
  { module: 'server/src/adapters/allow-list/addresses.ts', why: 'nothing: it resolves addresses' },
  { module: 'server/src/adapters/allow-list/proxy.ts', why: 'bytes of a sandboxed program, to addresses that the user allowed' },
  {
    module: 'server/src/adapters/llm-proxy/forward.ts',
    why: 'requests of an agent to the endpoint that the user chose; nothing from the archive',
  },
  {
    module: 'server/src/stages/agents/exchange-record.ts',
    why: 'requests of a run to its model, with the answers, into the data directory',
  },
  {
    module: 'server/src/stages/shell-rl/rollouts/turn-files.ts',
    why: 'actions of a model in the sandboxes of a set of rollouts, into the data directory',
  },
  {
    module: 'server/src/adapters/llm-proxy/pass.ts',
    why: 'requests of Claude Code, as they are, to the API that it asks anyway; switched on by the user',
  },
  { module: 'server/src/adapters/llm-proxy/index.ts', why: 'nothing: it listens on this machine' },
  { module: 'server/src/adapters/llm-proxy/headers.ts', why: 'nothing: it chooses headers' },
  { module: 'server/src/adapters/llm-proxy/safety-check.ts', why: 'nothing: it reads a request' },
  { module: 'server/src/adapters/llm-proxy/refusal.ts', why: 'error responses, to the agent of a run' },
  { module: 'server/src/adapters/otlp/listener.ts', why: 'nothing: it takes telemetry of programs on this machine' },
  { module: 'server/src/adapters/hub/request.ts', why: 'the name of a requested model or data set, to the hub' },
  { module: 'server/src/adapters/hub/cache.ts', why: 'files of a model or data set, into the model cache' },
  { module: 'server/src/stages/gym/base-models/pending.ts', why: 'file names of a model, into the model cache' },
  { module: 'server/src/stages/sandboxes/recording.ts', why: 'output of a sandbox session, into the data directory' },
  { module: 'server/src/stages/sandboxes/files.ts', why: 'files provided by the user, into a sandbox' },
  { module: 'server/src/stages/sandboxes/start.ts', why: 'files provided by the user, into a sandbox' },
  {
    module: 'server/src/adapters/git/snapshot.ts',
    why: 'the index and ignored names of a repository, into a temporary one that is removed afterwards',
  },
  { module: 'server/src/adapters/agent-cli/readable-copy.ts', why: 'the program of an agent, into a folder that sandboxes can read' },
  { module: 'server/src/adapters/git/stored-files.ts', why: 'files of an agent run, into a repository in the data directory' },
  { module: 'server/src/stages/agents/working-copy.ts', why: 'files of the chosen folder, into the data directory and a sandbox' },
  { module: 'server/src/stages/agents/drive.ts', why: 'transcripts of an agent, into the data directory' },
  { module: 'server/src/stages/agents/resume-file.ts', why: 'what an interrupted agent goes on with, into the data directory' },
  { module: 'server/src/stages/checks/restore/restore.ts', why: 'edits of a session, into that copy' },
  { module: 'server/src/stages/gym/write-rows.job.ts', why: 'rows of a training run, into its folder' },
  { module: 'server/src/stages/models/serving/read-answer.ts', why: 'an answer of a model on this machine, for a process that parses it' },
  { module: 'server/src/adapters/engine/local.ts', why: 'a pause or stop request, into the folder of a run' },
  { module: 'server/src/adapters/engine/ray.ts', why: 'paths and arguments, into the folder of a run' },
  { module: 'server/src/adapters/engine/ray-api.ts', why: 'paths and states, to a cluster that shares the data directory (decision 0025)' },
]

/** Modules that cast a value to `Cleared<…>` because its type was lost, each with the reason. */
export const VOUCHED: readonly { module: string; why: string }[] = [
  { module: 'server/src/stages/factory/export/export.job.ts', why: 'the gate cleared the rows of a version when it was built' },
  { module: 'server/src/stages/observability/telemetry/send.job.ts', why: 'it encodes a profile whose texts the gate has cleared' },
]
