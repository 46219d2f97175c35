// Puts a text where it can be pasted from; true where that went well. Pages that are not encrypted have no clipboard: there the old way is left.
export async function copy(what) {
  try {
    const text = await what();
    if (navigator.clipboard) {
      await navigator.clipboard.writeText(text);
      return true;
    }
    return byHand(text);
  } catch {
    return false;
  }
}

function byHand(text) {
  const field = document.createElement('textarea');
  field.value = text;
  field.className = 'hidden';
  document.body.append(field);
  field.select();
  const done = document.execCommand('copy');
  field.remove();
  return done;
}
