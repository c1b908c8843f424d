/** Client to server, when the user wants to know what is wrong: `DoctorParams` to `DoctorReport`. */
export const EXAMINE = 'doctor/examine';

export interface DoctorParams {
  /** Absent: the first one that is open. */
  readonly folderUri?: string;
}

export interface DoctorReport {
  /** The folder that was looked at; absent where none is open. */
  readonly folder?: string;
  /** Each within ten seconds; in an order in which one needs the other. */
  readonly checks: readonly DoctorCheck[];
}

export interface DoctorCheck {
  /** One word: `git`. */
  readonly name: string;
  /** `note`: all works, and something could be better. */
  readonly state: 'fine' | 'note' | 'wrong';
  /** What was found, as a clause without control characters. */
  readonly found: string;
  /** What to do about it, in whole sentences; absent where nothing is to be done. */
  readonly advice?: string;
}
