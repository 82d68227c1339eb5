import { z } from 'zod'
import { routesOf } from '../derive/route.ts'
import { csv, Cursor, IdempotencyKey, Limit, page } from '../entities/common.ts'
import { ChangedFile, ChangeSelection, ReviewComment, Task, TaskEvent, TaskId, TaskPlan, TaskRequest, TaskState } from '../entities/task.ts'
import { folderField, notAPlace } from '../places.ts'

const route = routesOf('tasks')
const params = z.object({ id: TaskId })

export const createTask = route.post('createTask', '/api/tasks', {
  summary: 'Let an agent work in a sandbox on a copy of a repository, or in an empty folder',
  body: TaskRequest.extend({ idempotencyKey: IdempotencyKey.optional() }),
  response: Task,
  status: 202,
  errors: ['invalid_request', 'task_refused', 'path_refused', 'confirmation_required'],
})
export const planTask = route.post('planTask', '/api/tasks/plan', {
  summary: 'Preview a run: agent, payer, set-up, checks, and why it cannot start; nothing is run',
  body: TaskRequest,
  response: TaskPlan,
  onlyLooks: true,
  errors: ['invalid_request', 'path_refused', 'confirmation_required'],
})
export const listTasks = route.get('listTasks', '/api/tasks', {
  summary: 'Agent runs, newest first',
  query: z.object({
    state: csv(TaskState).optional(),
    batchId: z.string().max(100).optional(),
    q: z.string().max(400).optional(),
    cursor: Cursor,
    limit: Limit,
  }),
  response: page(Task),
})
export const getTask = route.get('getTask', '/api/tasks/{id}', {
  summary: 'An agent run',
  params,
  response: Task,
  errors: ['task_not_found'],
})
export const listTaskEvents = route.get('listTaskEvents', '/api/tasks/{id}/events', {
  summary: 'Events that the agent reported, after `after`',
  params,
  query: z.object({ after: z.coerce.number().int().min(0).default(0), limit: z.coerce.number().int().min(1).max(1000).default(500) }),
  response: z.object({ items: z.array(TaskEvent), last: z.number().int() }),
  errors: ['task_not_found'],
})
export const cancelTask = route.post('cancelTask', '/api/tasks/{id}/cancel', {
  summary: 'Stop a run; responds when its processes have ended and its endpoint refuses further requests',
  params,
  stored: { none: 'it only ends a run' },
  response: Task,
  errors: ['task_not_found', 'task_not_running'],
})
export const pauseTask = route.post('pauseTask', '/api/tasks/{id}/pause', {
  summary: 'Pause a run: its files and the conversation of its agent are kept; responds when its processes have ended',
  params,
  stored: { none: 'it only interrupts a run' },
  response: Task,
  errors: ['task_not_found', 'task_not_running'],
})
export const resumeTask = route.post('resumeTask', '/api/tasks/{id}/resume', {
  summary: 'Let a paused run go on from where it stopped',
  params,
  response: Task,
  status: 202,
  stored: 'task',
  errors: ['task_not_found', 'task_not_paused', 'task_refused', 'path_refused', 'confirmation_required'],
})
export const interruptTask = route.post('interruptTask', '/api/tasks/{id}/interrupt', {
  summary: 'Interrupt the agent, so that it reads its messages',
  params,
  stored: { none: 'it gives the agent nothing to do' },
  response: Task,
  errors: ['task_not_found', 'task_not_running'],
})
export const messageTask = route.post('messageTask', '/api/tasks/{id}/messages', {
  summary: 'Send a message to the agent; an ended run continues with it',
  params,
  body: z.object({ text: z.string().trim().min(1).max(1_048_576) }),
  response: Task,
  status: 202,
  stored: 'task',
  errors: ['task_not_found', 'task_not_running', 'task_refused', 'path_refused', 'confirmation_required'],
})
export const answerTask = route.post('answerTask', '/api/tasks/{id}/answer', {
  summary: 'Answer a question of the agent',
  params,
  body: z.object({ questionId: z.string().max(200), value: z.string().max(100_000), text: z.string().max(100_000).optional() }),
  response: Task,
  stored: 'task',
  errors: ['task_not_found', 'task_not_running', 'question_gone', 'path_refused', 'confirmation_required'],
})
export const removeTask = route.delete('removeTask', '/api/tasks/{id}', {
  summary: 'Remove an ended run with its files; its trace stays',
  params,
  query: z.object({ force: z.stringbool().default(false).meta({ description: 'even if its change was not handed back' }) }),
  response: z.object({ id: TaskId }),
  stored: { none: 'it removes only the files of the run' },
  errors: ['task_not_found', 'task_running', 'task_not_handed_back'],
})

export const getTaskChange = route.get('getTaskChange', '/api/tasks/{id}/change', {
  summary: 'The change since the start, by file and hunk, with review comments',
  params,
  response: z.object({ base: z.string(), files: z.array(ChangedFile), comments: z.array(ReviewComment) }),
  errors: ['task_not_found', 'task_no_change'],
})
export const readTaskPatch = route.get('readTaskPatch', '/api/tasks/{id}/patch', {
  summary: 'The change as a git patch, including binary files',
  params,
  produces: 'text/x-diff',
  errors: ['task_not_found', 'task_no_change'],
})
export const selectTaskPatch = route.post('selectTaskPatch', '/api/tasks/{id}/patch', {
  summary: 'A part of the change as a git patch',
  params,
  body: z.object({ selection: ChangeSelection }),
  produces: 'text/x-diff',
  stored: { none: 'the change is read from the files of the run' },
  errors: ['task_not_found', 'task_no_change', 'invalid_request', 'hand_back_conflict'],
})
export const reviewTask = route.patch('reviewTask', '/api/tasks/{id}/review', {
  summary: 'Mark files as read, write or remove comments',
  params,
  body: z
    .object({
      read: z.array(z.string()).max(10_000),
      unread: z.array(z.string()).max(10_000),
      addComment: z.object({
        path: notAPlace(z.string(), 'a path in the change of a run'),
        line: z.number().int().nullable(),
        text: z.string().trim().min(1).max(20_000),
      }),
      removeComment: z.string(),
    })
    .partial(),
  response: z.object({ comments: z.array(ReviewComment) }),
  stored: { none: 'comments are stored with the run' },
  errors: ['task_not_found', 'task_no_change'],
})
export const sendReview = route.post('sendReview', '/api/tasks/{id}/review/send', {
  summary: 'Send the unsent comments to the agent as its next message',
  params,
  response: Task,
  status: 202,
  stored: 'task',
  errors: ['task_not_found', 'task_not_running', 'task_refused', 'task_no_change', 'path_refused', 'confirmation_required'],
})
export const handBackTask = route.post('handBackTask', '/api/tasks/{id}/hand-back', {
  summary: 'Put the change, or a part of it, into your repository; if it does not fit, nothing is written',
  params,
  body: z.object({
    how: z.enum(['apply', 'commit', 'branch']),
    selection: ChangeSelection.optional(),
    message: z.string().max(100_000).optional().meta({ description: 'commit message' }),
    branch: z.string().max(250).optional(),
    directory: folderField(z.string().startsWith('/').max(4096), 'Write the change of an agent into a folder', {
      title: 'Confirm writing into this folder',
    })
      .optional()
      .meta({ description: 'default: the folder that the run started from' }),
  }),
  response: Task,
  stored: 'taskFolder',
  errors: [
    'task_not_found',
    'task_running',
    'task_no_change',
    'invalid_request',
    'hand_back_conflict',
    'path_refused',
    'confirmation_required',
  ],
})
export const undoHandBack = route.post('undoHandBack', '/api/tasks/{id}/hand-back/undo', {
  summary: 'Restore what the hand-back replaced; refused if it has changed since',
  params,
  response: Task,
  stored: 'handedBack',
  errors: ['task_not_found', 'task_no_change', 'hand_back_conflict', 'path_refused', 'confirmation_required'],
})
