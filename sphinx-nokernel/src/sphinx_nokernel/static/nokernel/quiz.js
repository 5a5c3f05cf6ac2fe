// Speaks the feedback of a choice. The style sheet alone shows it.
document.addEventListener("change", ({ target }) => {
  const choice = target.closest?.(".nk-quiz .nk-choice");
  if (!choice) return;
  const question = choice.closest(".nk-quiz");
  let voice = question.querySelector("[role=status]");
  if (!voice) {
    voice = document.createElement("div");
    voice.setAttribute("role", "status");
    voice.className = "nk-spoken";
    question.append(voice);
  }
  const verdict = choice.classList.contains("nk-right") ? "Right. " : "Not this one. ";
  const feedback = choice.querySelector(".nk-feedback");
  voice.textContent = `${feedback.querySelector(".nk-greeting") ? "" : verdict}${feedback.textContent.trim()}`;
});
