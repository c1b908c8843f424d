/** Text of a plan as it may reach a screen: control and direction characters could forge what is read. */
export function displayText(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}]+/gu, ' ').trim();
}
