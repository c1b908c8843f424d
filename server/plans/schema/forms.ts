import * as z from 'zod/mini';

/** What stands behind each key of a mapping with keys of ours; nothing for any other schema. */
export function propertiesOf(
  schema: z.core.$ZodType,
): readonly (readonly [name: string, property: z.core.$ZodType])[] {
  if (!(schema instanceof z.ZodMiniObject)) return [];
  const entries = Object.entries<z.core.$ZodType>(schema.def.shape);
  return entries.map(([name, property]) => [name, required(property)]);
}

export function propertyOf(schema: z.core.$ZodType, name: string): z.core.$ZodType | undefined {
  if (!(schema instanceof z.ZodMiniObject)) return undefined;
  const shape: Readonly<Record<string, z.core.$ZodType>> = schema.def.shape;
  const property = Object.hasOwn(shape, name) ? shape[name] : undefined;
  return property && required(property);
}

/** A key may be left out; what is behind it may not. */
function required(schema: z.core.$ZodType): z.core.$ZodType {
  return schema instanceof z.ZodMiniOptional ? schema.def.innerType : schema;
}

/** The forms that a value may have, each as it is written: what is made of it is left away. */
export function alternatives(schema: z.core.$ZodType): readonly z.core.$ZodType[] {
  const written = required(schema);
  if (written instanceof z.ZodMiniUnion) return written.def.options.flatMap(alternatives);
  return [
    written instanceof z.ZodMiniPipe && isCollection(written.def.in) ? written.def.in : written,
  ];
}

function isCollection(schema: z.core.$ZodType): boolean {
  return (
    schema instanceof z.ZodMiniArray ||
    schema instanceof z.ZodMiniObject ||
    schema instanceof z.ZodMiniRecord
  );
}
