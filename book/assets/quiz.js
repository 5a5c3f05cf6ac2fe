// Speaks the feedback of a choice. The style sheet alone shows it.
document.addEventListener("change", ({ target }) => {
  const choice = target.closest?.(".aw-choice");
  if (!choice) return;
  const question = choice.closest(".aw-quiz");
  let voice = question.querySelector("[role=status]");
  if (!voice) {
    voice = document.createElement("div");
    voice.setAttribute("role", "status");
    voice.className = "visually-hidden";
    question.append(voice);
  }
  const verdict = choice.classList.contains("aw-right") ? "Right." : "Not this one.";
  voice.textContent = `${verdict} ${choice.querySelector(".aw-feedback").textContent}`;
});
