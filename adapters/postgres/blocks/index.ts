export { blockAudits } from './audit.ts'
export { blockFunctions, lockOf, MOVE } from './functions.ts'
export { type CrowdedBlock, createBlockTidier } from './tidier.ts'
