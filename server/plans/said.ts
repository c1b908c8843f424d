type Said<Fields> = { readonly [Name in keyof Fields]?: Exclude<Fields[Name], undefined> };

/** Only what there is: what is said to be `undefined` would hide what is said elsewhere. */
export function said<Fields extends object>(fields: Fields): Said<Fields> {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  const all: Said<Fields> = {};
  return Object.assign(all, Object.fromEntries(entries));
}
