import { drops, keeps, type Schema } from '#server/db/schema.ts'
import { students } from './migrations/0048-students.ts'
import { routeReports } from './migrations/0049-route-reports.ts'
import { routeDecisions } from './migrations/0050-route-decisions.ts'
import { routeConversations } from './migrations/0053-route-conversations.ts'
import { shadowAnswers } from './migrations/0054-shadow-answers.ts'
import { modSteps } from './migrations/0056-mod-steps.ts'
import { routeOutcomes } from './migrations/0060-route-outcomes.ts'
import { studentProofs } from './migrations/0057-student-proofs.ts'
import { shadowVerdicts } from './migrations/0061-shadow-verdicts.ts'

export const routerSchema: Schema = {
  own: {
    students: keeps('names of models, which transcripts have'),
    route_reports: keeps('how answers went'),
    route_decisions: keeps('figures of requests'),
    route_conversations: drops('sessions of another machine'),
    shadow_answers: drops('sessions of another machine'),
    route_tried: drops('sessions of another machine'),
    route_alarms: keeps('why a share was taken back'),
    mod_steps: keeps('figures of steps'),
    student_proofs: keeps('what verdicts are about'),
  },
  published: ['students', 'student_steps'],
  fileNames: [],
  migrations: [
    students,
    routeReports,
    routeDecisions,
    routeConversations,
    shadowAnswers,
    modSteps,
    studentProofs,
    routeOutcomes,
    shadowVerdicts,
  ],
}
