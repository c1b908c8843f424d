interface InFolder {
  readonly folderUri: string;
}

/** The order in which the window has its folders; what it does not have comes last. */
export class FolderPlaces {
  #uris: readonly string[] = [];

  /** Answers whether it is another order than before. */
  arrange(folderUris: readonly string[]): boolean {
    if (folderUris.join('\n') === this.#uris.join('\n')) return false;
    this.#uris = folderUris;
    return true;
  }

  compare(a: InFolder, b: InFolder): number {
    return a.folderUri === b.folderUri ? 0 : this.#placeOf(a) - this.#placeOf(b);
  }

  #placeOf({ folderUri }: InFolder): number {
    const place = this.#uris.indexOf(folderUri);
    return place < 0 ? this.#uris.length : place;
  }
}
