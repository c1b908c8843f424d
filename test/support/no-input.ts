/** Nobody writes anything to a program. */
// eslint-disable-next-line require-yield
export async function* nothingTyped(): AsyncGenerator<Uint8Array> {}
