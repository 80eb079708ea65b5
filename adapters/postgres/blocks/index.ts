export { blockAudits } from './audit.ts'
export { blockFunctions } from './functions.ts'
export { type CrowdedBlock, createBlockTidier } from './tidier.ts'
