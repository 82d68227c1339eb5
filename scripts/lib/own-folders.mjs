/**
 * Rooms whose work is in folders that an agent, a repository or an image made. Their files are read and written through
 * server/src/foreign; these modules may use the file system itself, each group for what the program or the user owns.
 */
export const FOREIGN_ROOMS = /^server\/src\/(?:stages\/(?:sandboxes|checks|agents|shell-rl)|adapters\/(?:git|harbor|docker))\//

const stages = (...names) => names.map((name) => `server/src/stages/${name}.ts`)
const git = (...names) => names.map((name) => `server/src/adapters/git/${name}.ts`)

export const OWN_FOLDERS = [
  {
    why: 'folders of runs, sandboxes and hand-backs in the data directory',
    modules: [
      ...stages(
        'agents/drive',
        'agents/exchange-record',
        'agents/harbor/perform',
        'agents/perform',
        'agents/perform-set-up',
        'agents/resume-file',
        'agents/service',
        'agents/set-up-cache',
        'agents/store-end',
        'agents/working-copy',
        'checks/service',
        'agents/hand-back/care',
        'agents/hand-back/commit',
        'agents/hand-back/contents',
        'agents/hand-back/diff/diff.job',
        'agents/hand-back/history',
        'agents/hand-back/scratch',
        'agents/hand-back/service',
        'agents/hand-back/settle',
        'agents/hand-back/tree/carry-out',
        'agents/hand-back/tree/journal',
        'agents/hand-back/tree/put',
        'shell-rl/rollouts/turn-files',
        'sandboxes/recording',
        'shell-rl/shell-tasks/import/import-tasks.job',
        'shell-rl/shell-tasks/service',
      ),
      ...git('changes', 'snapshot', 'stored-files'),
    ],
  },
  {
    why: 'whether a folder that the user chose exists, and its path without links',
    modules: [
      ...stages(
        'agents/claude-code/user-context',
        'agents/plan',
        'checks/restore/restore',
        'agents/hand-back/hand-back',
        'agents/hand-back/recover',
        'agents/hand-back/undo',
        'agents/hand-back/tree/refusals',
      ),
      ...git('clone', 'repository', 'working-tree'),
      'server/src/adapters/harbor/read.ts',
      'server/src/adapters/harbor/write.ts',
    ],
  },
  { why: 'tasks that are shipped', modules: stages('shell-rl/shell-tasks/shipped') },
  {
    why: 'programs and settings of this machine',
    modules: [...stages('checks/python-installation', 'checks/toolchains'), ...git('user-repository')],
  },
]
