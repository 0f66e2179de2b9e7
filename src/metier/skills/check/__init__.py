"""What is wrong with a skill, held strictly to the specification? This is for authors; running reads tolerantly."""

from .paths import Checked, CheckedSkill, check_paths
from .sarif import sarif
from .skill import check_skill

__all__ = ["Checked", "CheckedSkill", "check_paths", "check_skill", "sarif"]
