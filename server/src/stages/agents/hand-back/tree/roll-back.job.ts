export { rollBack as default } from './roll-back.ts'
