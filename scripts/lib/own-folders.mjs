/**
 * Rooms whose work is in folders that an agent, a repository or an image made. Their files are read and written through
 * server/src/foreign; these modules may use the file system itself, each group for what the program or the user owns.
 */
export const FOREIGN_ROOMS = /^server\/src\/(?:stages\/arena|adapters\/(?:git|harbor|docker))\//

const arena = (...names) => names.map((name) => `server/src/stages/arena/${name}.ts`)
const git = (...names) => names.map((name) => `server/src/adapters/git/${name}.ts`)

export const OWN_FOLDERS = [
  {
    why: 'folders of runs, sandboxes and hand-backs in the data directory',
    modules: [
      ...arena(
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
        'hand-back/care',
        'hand-back/commit',
        'hand-back/contents',
        'hand-back/diff/diff.job',
        'hand-back/history',
        'hand-back/scratch',
        'hand-back/service',
        'hand-back/settle',
        'hand-back/tree/carry-out',
        'hand-back/tree/journal',
        'hand-back/tree/put',
        'rollouts/turn-files',
        'sandboxes/recording',
        'shell-tasks/import/import-tasks.job',
        'shell-tasks/service',
      ),
      ...git('changes', 'snapshot', 'stored-files'),
    ],
  },
  {
    why: 'whether a folder that the user chose exists, and its path without links',
    modules: [
      ...arena(
        'agents/claude-code/user-context',
        'agents/plan',
        'checks/restore/restore',
        'hand-back/hand-back',
        'hand-back/recover',
        'hand-back/undo',
        'hand-back/tree/refusals',
      ),
      ...git('clone', 'repository', 'working-tree'),
      'server/src/adapters/harbor/read.ts',
      'server/src/adapters/harbor/write.ts',
    ],
  },
  { why: 'tasks that are shipped', modules: arena('shell-tasks/shipped') },
  {
    why: 'programs and settings of this machine',
    modules: [...arena('checks/python-installation', 'checks/toolchains'), ...git('user-repository')],
  },
]
