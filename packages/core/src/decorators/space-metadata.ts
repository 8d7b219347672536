import 'reflect-metadata';

const SPACE = Symbol.for('bae.resourcespace');

/** What `@resourcespace` writes down. */
export interface SpaceRecord {
  readonly name: string;
  readonly description: string;
  readonly group?: string;
}

/** Remembers what a class is, on the class. */
export function recordSpace(target: object, record: SpaceRecord): void {
  Reflect.defineMetadata(SPACE, record, target);
}

/** What `@resourcespace` said of a class; undefined when it is not decorated. */
export function readSpaceRecord(target: object): SpaceRecord | undefined {
  return Reflect.getMetadata(SPACE, target) as SpaceRecord | undefined;
}
