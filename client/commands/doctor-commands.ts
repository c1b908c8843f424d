import { DoctorDocument } from '../doctor/doctor-document.ts';
import type { Part } from '../window.ts';

export const doctorCommands: Part = (window) => {
  const document = new DoctorDocument(window);
  window.context.subscriptions.push(document);
  return { 'interlock.doctor.show': async () => document.show() };
};
