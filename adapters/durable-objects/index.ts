export { type GameObject, type GameObjectOptions, gameObject } from './game-object.ts'
export type { ObjectContext, ObjectStorage, SqlStorage } from './platform.ts'
export { durableObject } from './storage.ts'
