import { FileClaims } from '../../board/file-claims.ts';
import type { BoardWorld, OpenBoard } from '../../board/ports.ts';
import type { EditorWindow } from '../../board/window.ts';
import type { Folder } from '../folder.ts';
import type { Workspace } from '../workspace.ts';

/** One file as one working tree knows it. */
export interface FilePlace {
  readonly folder: Folder;
  /** Where the folder lies in its working tree. */
  readonly inTree: string;
  /** From the top of the working tree. */
  readonly path: string;
}

/** Which folders a file is in, and what their boards say of it. */
export class FilePlaces {
  readonly #world: BoardWorld;
  readonly #workspace: Workspace;
  #window: EditorWindow;
  readonly #inTree = new Map<string, string>();
  readonly #claims = new Map<Folder, { readonly open: OpenBoard; readonly claims: FileClaims }>();

  constructor(world: BoardWorld, workspace: Workspace, window: EditorWindow) {
    this.#world = world;
    this.#workspace = workspace;
    this.#window = window;
  }

  /** The innermost folder first: folders may lie in each other. */
  of(file: string): readonly FilePlace[] {
    const places = this.#workspace.folders.flatMap((folder): readonly FilePlace[] => {
      const named = folder.relativePath(file);
      const real = named === undefined ? undefined : this.#realPath(folder, named);
      if (real === undefined) return [];
      const inTree = this.#folderInTree(folder.board.root);
      return [{ folder, inTree, path: inTree === '' ? real : `${inTree}/${real}` }];
    });
    return places.toSorted((a, b) => b.folder.board.root.length - a.folder.board.root.length);
  }

  /** Nothing where no plan is, or where the board is not open. */
  claimsAt({ folder, inTree }: FilePlace): FileClaims | undefined {
    const open = folder.board.live;
    if (open === undefined) return undefined;
    const known = this.#claims.get(folder);
    if (known?.open === open) return known.claims;
    const at = { root: folder.board.root, folder: inTree };
    const claims = new FileClaims(open, { world: this.#world, window: this.#window, at });
    this.#claims.set(folder, { open, claims });
    return claims;
  }

  /** What is claimed next is claimed by this one. */
  rename(window: EditorWindow): void {
    this.#window = window;
    this.#claims.clear();
  }

  /** Folders that have come or gone are looked at anew. */
  forget(): void {
    this.#inTree.clear();
    this.#claims.clear();
  }

  /** Nothing where a link leads out of the folder. */
  #realPath({ board }: Folder, named: string): string | undefined {
    const real = this.#world.realInTree(board.root, named);
    return real.kind === 'inside' ? real.path : undefined;
  }

  #folderInTree(root: string): string {
    const known = this.#inTree.get(root) ?? this.#world.folderInTree(root);
    this.#inTree.set(root, known);
    return known;
  }
}
