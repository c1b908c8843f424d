import { styleOf, type Palette } from './palette.ts';
import { type Shape, shape, toXml } from './shape.ts';

/** What a file needs to be looked at by itself. */
export interface PictureFile {
  readonly title: string;
  readonly description: string;
  readonly width: number;
  readonly height: number;
  readonly palette: Palette;
  /** Where the system prefers dark; absent: the same everywhere. */
  readonly darkPalette?: Palette;
}

/** A file of SVG that needs nothing else: its colours and its style are in it. */
export function svgFile(file: PictureFile, shapes: readonly Shape[]): string {
  const { title, description, palette, darkPalette } = file;
  const [width, height] = [Math.ceil(file.width), Math.ceil(file.height)];
  const dark =
    darkPalette === undefined
      ? ''
      : `\n@media (prefers-color-scheme:dark){\n${styleOf(darkPalette)}\n}`;
  const attributes = {
    xmlns: 'http://www.w3.org/2000/svg',
    role: 'img',
    'aria-labelledby': 'title desc',
    width,
    height,
    viewBox: `0 0 ${width} ${height}`,
  };
  const picture = shape('svg', attributes, [
    shape('title', { id: 'title' }, [title]),
    shape('desc', { id: 'desc' }, [description]),
    shape('style', {}, [`${styleOf(palette)}${dark}`]),
    shape('rect', { class: 'back', x: 0, y: 0, width, height }),
    ...shapes,
  ]);
  return `<?xml version="1.0" encoding="UTF-8"?>\n${toXml(picture)}\n`;
}

/** Moves what is drawn at its own corner to a place of the picture. */
export function moved(inner: Shape, x: number, y: number): Shape {
  return shape('g', { transform: `translate(${x} ${y})` }, [inner]);
}
